"""The sandbox of examples/models, and whether this machine has what it needs."""
import os
import sys

MODELS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "models")
SANDBOX = os.path.join(MODELS, "sandbox.py")
KEY = "sk-0123456789abcdefSECRET"  # which no program in it may see
sys.path.insert(0, MODELS)
import sandbox  # noqa: E402

try:
    sandbox.check_here()
    CLOSED = True
except sandbox.NoSandbox:
    CLOSED = False
