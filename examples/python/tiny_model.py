"""A language model of a few hundred thousand weights, made on the spot: it stands in for one of yours, so that nothing is downloaded."""
import tokenizers
import torch
import transformers

CHAT_TEMPLATE = ("{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
                 "{% if message['role'] == 'assistant' %}{% generation %}{{ message['content'] }}<|im_end|>{% endgeneration %}{{ '\\n' }}"
                 "{% else %}{{ message['content'] }}<|im_end|>\n{% endif %}{% endfor %}"
                 "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}")


def make_tokenizer(texts, size=512):
    """A byte-level tokenizer whose words are those of the texts, with a ChatML template."""
    made = tokenizers.ByteLevelBPETokenizer()
    made.train_from_iterator(texts, vocab_size=size, special_tokens=["<|pad|>", "<|im_start|>", "<|im_end|>"], show_progress=False)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made._tokenizer, pad_token="<|pad|>", eos_token="<|im_end|>",
                                                chat_template=CHAT_TEMPLATE, padding_side="left")


def make_model(tokenizer, width=64, layers=2):
    """A model with weights drawn at random. The caller sets the seed."""
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=width, intermediate_size=3 * width, num_hidden_layers=layers, num_attention_heads=4,
        max_position_embeddings=2048, tie_word_embeddings=True, bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id))


def load(name, texts):
    """The model and tokenizer of that name or folder; without a name, new ones for these texts."""
    if name:
        tokenizer = transformers.AutoTokenizer.from_pretrained(name, padding_side="left")
        model = transformers.AutoModelForCausalLM.from_pretrained(name)
    else:
        tokenizer = make_tokenizer(texts)
        model = make_model(tokenizer)
    if model.num_parameters() < 10_000_000:
        torch.set_num_threads(1)  # more cost more than they give with a network this small
    return model, tokenizer


def plain_training():
    """Options of TRL's trainers: on the graphics card if there is one, with no files and reports but the model."""
    return {"use_cpu": not torch.cuda.is_available(), "bf16": False, "gradient_checkpointing": False, "save_strategy": "no",
            "report_to": "none", "disable_tqdm": True}
