"""Lets a policy that takes the rows of features.py play in `seedbed.evaluate`: any tasks, many episodes at once.

    seedbed.evaluate(Player(actor, slots), obs="arrays", pad="family", batch=slots)
"""
import numpy as np

from features import History, codes


class Player:
    """actor: makes, for n episodes, an object with `begin(indices)` and `__call__(indices, rows)`, which returns actions, as `play` takes it."""

    def __init__(self, actor, slots):
        self.actor, self.slots = actor, slots
        self.games = {}  # by size of grid: the past of each slot, and who acts

    def game(self, size):
        if size not in self.games:
            self.games[size] = History(self.slots, *size), self.actor(self.slots)
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
