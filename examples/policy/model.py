"""The policy in PyTorch: a residual network over the grid, read out at the agent's cell and over all cells.

`Policy(**settings)` takes the rows of features.py, on grids of any size, and returns logits of the six actions. `remember` says what it knows
of the steps before: "history", the planes and last actions that features.py keeps by hand; "core", a recurrent core over steps (GRU), which
has to find out by itself what is worth keeping; "nothing". With told=False it is not shown the facts of the array `told`.
"""
import pickle

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from features import ACTIONS, FACTS, HISTORY_PLANES, PLANES, TASKS, TOLD, TOLD_FACTS, TOLD_PLANES, columns

PRESETS = {"cpu": {"channels": 32, "blocks": 3}, "gpu": {"channels": 128, "blocks": 14}}
DILATIONS = 1, 2, 1, 4
REMEMBER = "history", "core", "nothing"


class Codes(nn.Module):
    """A sum of embeddings, one for each column; sizes: how many codes each column has."""

    def __init__(self, sizes, channels):
        super().__init__()
        self.register_buffer("first", torch.tensor(np.cumsum([0, *sizes[:-1]])), persistent=False)
        self.table = nn.EmbeddingBag(sum(sizes), channels, mode="sum")
        nn.init.normal_(self.table.weight, std=len(sizes) ** -0.5)

    def forward(self, codes):
        return self.table(codes.long() + self.first)


class Facts(nn.Module):
    """What belongs to no cell. Rows of `told` pass a layer of their own, since their three numbers only mean something together."""

    def __init__(self, channels, told, remember):
        super().__init__()
        hidden = [*(TOLD_FACTS if not told else ()), *(("actions",) if remember != "history" else ())]
        plain = [name for name in FACTS if name not in (*hidden, "what", "which", "value", "actions")]
        last = columns("actions")[:{"history": ACTIONS, "core": 1, "nothing": 0}[remember]]
        sizes = [size for name in plain for size in [FACTS[name][1]] * FACTS[name][0]] + [FACTS["actions"][1]] * len(last)
        self.register_buffer("columns", torch.tensor(columns(*plain) + last), persistent=False)
        self.codes, self.told = Codes(sizes, channels), None
        if told:
            self.register_buffer("rows", torch.tensor(columns("what", "which", "value")).reshape(3, TOLD), persistent=False)
            kinds = FACTS["what"][1]
            self.told = Codes([kinds * FACTS["which"][1], kinds * FACTS["value"][1]], channels)
        self.mix = nn.Sequential(nn.Linear(channels, channels), nn.ReLU(), nn.Linear(channels, channels))

    def forward(self, facts):
        seen = self.codes(facts[:, self.columns])
        if self.told is not None:
            what, which, value = facts[:, self.rows].long().unbind(1)
            pairs = torch.stack([what * FACTS["which"][1] + which, what * FACTS["value"][1] + value], dim=2)
            rows = functional.relu(self.told(pairs.flatten(0, 1))).unflatten(0, what.shape)
            seen = seen + (rows * (what > 0)[:, :, None]).sum(1)
        return self.mix(seen)


class Block(nn.Module):
    """Two convolutions, and a gate for each channel, set by the mean over the grid and the facts."""

    def __init__(self, channels, dilation):
        super().__init__()
        self.norms = nn.ModuleList(nn.GroupNorm(8, channels) for _ in range(2))
        self.convolutions = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=d, dilation=d) for d in (dilation, dilation))
        self.gate = nn.Linear(2 * channels, channels)

    def forward(self, cells, facts):
        seen = cells
        for norm, convolution in zip(self.norms, self.convolutions):
            seen = convolution(functional.relu(norm(seen)))
        gate = torch.sigmoid(self.gate(torch.cat([seen.mean((2, 3)), facts], dim=1)))
        return cells + seen * gate[:, :, None, None]


class Policy(nn.Module):
    def __init__(self, channels=32, blocks=4, told=True, remember="history", actions=6):
        super().__init__()
        self.settings = {"channels": channels, "blocks": blocks, "told": told, "remember": remember}
        left_out = (() if told else TOLD_PLANES) + (() if remember == "history" else HISTORY_PLANES)
        shown = [name for name in PLANES if name not in left_out]
        self.register_buffer("planes", torch.tensor([list(PLANES).index(name) for name in shown]), persistent=False)
        self.cells, self.facts = Codes([PLANES[name] for name in shown], channels), Facts(channels, told, remember)
        self.blocks = nn.ModuleList(Block(channels, DILATIONS[i % len(DILATIONS)]) for i in range(blocks))
        self.read = nn.Sequential(nn.Linear(4 * channels, 2 * channels), nn.ReLU())
        self.core = nn.GRU(2 * channels, 2 * channels, batch_first=True) if remember == "core" else None
        self.choose = nn.Linear(2 * channels, actions)

    def look(self, rows):
        """What the grid and the facts of each row say, (n, 2 * channels)."""
        facts = self.facts(rows["facts"])
        cells = rows["cells"][:, self.planes].movedim(1, -1)
        n, height, width, planes = cells.shape
        seen = self.cells(cells.reshape(-1, planes)).view(n, height, width, -1).movedim(-1, 1)  # channels last, as convolutions like them
        seen = seen + facts[:, :, None, None]
        for block in self.blocks:
            seen = block(seen, facts)
        at = rows["at"].long()
        here = seen[torch.arange(n, device=at.device), :, at[:, 0], at[:, 1]]
        return self.read(torch.cat([here, seen.mean((2, 3)), seen.amax((2, 3)), facts], dim=1))

    def forward(self, rows, memory=None):
        """Logits (n, actions) of one step of n episodes, and the memory for their next. memory: (n, memory_size), zeros at first."""
        seen = self.look(rows)
        if self.core is not None:
            seen = memory = self.remember(seen[:, None], None if memory is None else memory[None])[:, 0]
        return self.choose(seen), memory

    def unrolled(self, rows, n):
        """Logits (n * steps, actions) of n sequences, whose rows follow one another."""
        seen = self.look(rows)
        if self.core is not None:
            seen = self.remember(seen.unflatten(0, (n, -1))).flatten(0, 1)
        return self.choose(seen)

    def remember(self, seen, memory=None):
        """What the core makes of each step; in single precision, since small errors would add up from step to step."""
        with torch.autocast(seen.device.type, enabled=False):
            return self.core(seen.float(), memory)[0]

    @property
    def memory_size(self):
        return self.core.hidden_size if self.core is not None else 0


def device_named(name):
    """The device; ValueError if there is none of this name."""
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"there is no device `{name}` here: {str(error).splitlines()[0]}") from None
    return device


def halved(device):
    """Computes in bfloat16 on a graphics card, and as always elsewhere."""
    return torch.autocast("cuda", torch.bfloat16, enabled=device.type == "cuda")


def tensors(rows, device, at=slice(None)):
    """Rows of features.py as tensors."""
    return {name: torch.as_tensor(rows[name][at]).to(device, non_blocking=True) for name in ("cells", "at", "facts")}


class Actor:
    """For `play` and Player: chooses the likeliest action in each of n episodes, and keeps the memory of each, if the policy has one."""

    def __init__(self, policy, n, device=torch.device("cpu")):
        self.policy, self.device = policy, device
        self.memory = torch.zeros(n, policy.memory_size, device=device)

    def begin(self, which):
        self.memory[torch.as_tensor(which)] = 0

    @torch.no_grad()
    def __call__(self, which, rows):
        which = torch.as_tensor(which)
        with halved(self.device):
            logits, after = self.policy(tensors(rows, self.device), self.memory[which] if self.memory.shape[1] else None)
        if after is not None:
            self.memory[which] = after.float()
        return logits.argmax(1).cpu().numpy()


def restore(path, device=torch.device("cpu")):
    """The policy of a checkpoint of train.py, and what the checkpoint says beside it."""
    try:
        saved = torch.load(path, map_location=device, weights_only=True)
    except (RuntimeError, EOFError, pickle.UnpicklingError) as error:
        raise ValueError(f"{path} is no checkpoint of train.py") from error
    if saved["tasks"] != TASKS:
        raise ValueError(f"{path} was trained with another list of tasks: its numbers mean others")
    policy = Policy(**saved["settings"]).to(device)
    policy.load_state_dict(saved["policy"])
    return policy.eval(), saved
