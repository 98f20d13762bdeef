"""An OpenAI-compatible server with a tiny language model, which is made on the spot from random weights. Needs PyTorch and transformers.

    python3 tests/model_server.py [FOLDER]       saves the tokenizer there, prints its address, and serves until its input ends

Beside texts it takes tokens as vLLM does for trainers (/inference/v1/generate), and says how probable tokens are (/logprobs).
"""
import http.server
import json
import os
import sys
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "examples", "python"))
import tiny_model  # noqa: E402
import torch  # noqa: E402

TEXTS = ["# # # # #\n# . G . #\n# ^ . . #", "Valid actions: 0: noop 1: move_up 2: move_down 3: move_left 4: move_right 5: interact", "ACTION: 1", "I think. ACTION: 4"]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            document, code = self.server.answers.get(self.path, self.server.complete)(body), 200
        except (KeyError, TypeError, ValueError) as error:
            document, code = {"error": {"message": f"{type(error).__name__}: {error}"}}, 400
        self.send(document, code)

    def do_GET(self):
        self.send({"object": "list", "data": [{"id": "tiny", "object": "model", "max_model_len": self.server.longest}]}, 200)

    def send(self, document, code):
        data = json.dumps(document).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class ModelServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        torch.manual_seed(0)
        torch.set_num_threads(1)
        self.tokenizer = tiny_model.make_tokenizer(TEXTS)
        self.model = tiny_model.make_model(self.tokenizer).eval()
        self.longest = self.model.config.max_position_embeddings
        self.lock = threading.Lock()
        self.answers = {"/inference/v1/generate": self.generate, "/logprobs": self.logprobs}

    def complete(self, body):
        is_chat = "messages" in body
        text = self.tokenizer.apply_chat_template(body["messages"], tokenize=False, add_generation_prompt=True) if is_chat else body["prompt"]
        inputs = self.tokenizer(text, return_tensors="pt", truncation=True, max_length=1500)
        most, temperature = int(body.get("max_tokens", 32)), float(body.get("temperature", 1.0))
        with self.lock, torch.no_grad():
            torch.manual_seed(int(body.get("seed", 0)))
            made = self.model.generate(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], max_new_tokens=most, do_sample=temperature > 0,
                                       **({"temperature": temperature} if temperature > 0 else {}))
        new = made[0, inputs["input_ids"].shape[1]:]
        said = self.tokenizer.decode(new, skip_special_tokens=True)
        choice = {"message": {"role": "assistant", "content": said}} if is_chat else {"text": said}
        return {"object": "chat.completion", "model": body["model"], "choices": [{"index": 0, **choice, "finish_reason": "length" if len(new) == most else "stop"}],
                "usage": {"prompt_tokens": inputs["input_ids"].shape[1], "completion_tokens": len(new)}}

    def generate(self, body):
        """Tokens that follow others, drawn from all, with their log probabilities."""
        asked, options = body["token_ids"], body["sampling_params"]
        most = options["max_tokens"]
        if len(asked) + most > self.longest:
            raise ValueError(f"this model's maximum context length is {self.longest} tokens")
        ids = torch.tensor([asked])
        with self.lock, torch.no_grad():
            torch.manual_seed(sum(asked))
            made = self.model.generate(input_ids=ids, attention_mask=torch.ones_like(ids), max_new_tokens=most, do_sample=True, top_k=0, output_logits=True,
                                       eos_token_id=options["stop_token_ids"], return_dict_in_generate=True)
        new = made.sequences[0, len(asked):].tolist()
        chances = torch.stack(made.logits, dim=1)[0].log_softmax(-1)
        said = [{"token": f"token_id:{token}", "logprob": chance[token].item()} for token, chance in zip(new, chances)]
        return {"request_id": "1", "choices": [{"index": 0, "token_ids": new, "logprobs": {"content": said},
                                                "finish_reason": "stop" if new[-1] in options["stop_token_ids"] else "length"}]}

    def logprobs(self, body):
        """The log probability of every token after the first."""
        ids = torch.tensor([body["token_ids"]])
        with self.lock, torch.no_grad():
            chances = self.model(input_ids=ids).logits[0, :-1].log_softmax(-1)
        return {"logprobs": chances.gather(1, ids[0, 1:, None])[:, 0].tolist()}


if __name__ == "__main__":
    server = ModelServer()
    if sys.argv[1:]:
        server.tokenizer.save_pretrained(sys.argv[1])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    sys.stdin.read()
