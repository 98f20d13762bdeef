"""A trained policy that acts: in live environments (`Actor`) and for `seedbed.evaluate` (`Player`)."""
import numpy as np
import torch

import features
from features import History, codes
from model import Policy, tensors


def restore(path, device="cpu"):
    """The policy of a checkpoint of train.py, and what the checkpoint says beside it."""
    saved = torch.load(path, map_location=device, weights_only=True)
    if saved["tasks"] != features.TASKS:
        raise ValueError(f"{path} was trained with another list of tasks: its numbers mean others")
    policy = Policy(**saved["settings"]).to(device)
    policy.load_state_dict(saved["policy"])
    return policy.eval(), saved


class Actor:
    """Chooses the likeliest action in each of n episodes, and keeps the memory of each, if the policy has one."""

    def __init__(self, policy, n, device="cpu"):
        self.policy, self.device = policy, device
        self.memory = torch.zeros(n, policy.memory_size, device=device)

    def begin(self, which):
        self.memory[torch.as_tensor(which)] = 0

    @torch.no_grad()
    def __call__(self, which, rows):
        which = torch.as_tensor(which)
        with torch.autocast("cuda", torch.bfloat16, enabled=self.device == "cuda"):
            logits, after = self.policy(tensors(rows, self.device), self.memory[which] if self.memory.shape[1] else None)
        if after is not None:
            self.memory[which] = after.float()
        return logits.argmax(1).cpu().numpy()


class Player:
    """For seedbed.evaluate(Player(...), obs="arrays", pad="family", batch=slots): any tasks at once."""

    def __init__(self, policy, slots, device="cpu"):
        self.policy, self.slots, self.device = policy, slots, device
        self.games = {}  # by size of grid: the past of each slot, and who acts

    def game(self, size):
        if size not in self.games:
            self.games[size] = History(self.slots, *size), Actor(self.policy, self.slots, self.device)
        return self.games[size]

    def act(self, obs, infos):
        slots, actions = np.array([info["slot"] for info in infos]), np.zeros(len(infos), int)
        for width, height in np.unique(obs["size"], axis=0):
            mine = np.flatnonzero((obs["size"] == (width, height)).all(axis=1))
            history, actor = self.game((int(height), int(width)))
            begun = [i for i in mine if infos[i]["begins"]]
            if begun:
                history.began(slots[begun], [codes(infos[i]["task"], infos[i]["difficulty"]) for i in begun])
                actor.begin(slots[begun])
            seen = {name: values[mine] for name, values in obs.items()}
            for name in ("terrain", "objects", "metadata"):
                seen[name] = seen[name][:, :height, :width]
            actions[mine] = actor(slots[mine], history.see(slots[mine], seen))
            history.acted(slots[mine], actions[mine])
        return actions.tolist()
