"""An OpenAI-compatible server with a tiny language model, which is made on the spot from random weights. Needs PyTorch and transformers.

    python3 tests/model_server.py        prints its address, and serves until its input ends
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
            document, code = self.server.complete(body), 200
        except (KeyError, TypeError, ValueError) as error:
            document, code = {"error": {"message": f"{type(error).__name__}: {error}"}}, 400
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
        self.lock = threading.Lock()

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


if __name__ == "__main__":
    server = ModelServer()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    sys.stdin.read()
