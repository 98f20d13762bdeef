"""Behaviour cloning with NumPy alone: trains a policy on a dataset of the format `npz`, and plays with it for `seedbed eval`. docs/datasets.md,
"From a recipe to a first batch", explains it. To use another policy, or PyTorch, replace `Policy`.

    seedbed build examples/recipes/walk.json -o walk
    python3 examples/train_bc.py train walk policy.npz
    seedbed eval --tasks GoToGoal -d medium -n 25 --agent 'exec:python3 examples/train_bc.py play policy.npz'
"""
import glob
import json
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small: more threads only wait for one another
import numpy  # noqa: E402: OpenBLAS reads the variable when it is loaded

REACH = 7  # cells that the policy sees to each side of the agent
WALL, HAZARD = 1, 2  # of `terrain`
GOAL, TARGET, NPC = 1, 6, 10  # of `objects`


# ---- Batches: inputs of the policy, from a dataset and during play ----


def around(terrain, objects, agent):
    """Returns booleans (N, 5 * (2 * REACH + 1) ** 2): whether each cell around the agent has a wall, a hazard, a goal ..."""
    planes = numpy.stack([terrain == WALL, terrain == HAZARD, objects == GOAL, objects == TARGET, objects == NPC], axis=1)
    padded = numpy.pad(planes, [(0, 0), (0, 0), (REACH, REACH), (REACH, REACH)])
    side = numpy.arange(2 * REACH + 1)
    episode, plane = numpy.ogrid[:len(agent), :5]
    rows, columns = agent[:, 1, None] + side, agent[:, 0, None] + side
    return padded[episode[..., None, None], plane[..., None, None], rows[:, None, :, None], columns[:, None, None, :]].reshape(len(agent), -1)


def load(folder):
    """Returns inputs and actions of one dataset, or of several (A,B). The actions to learn are the labels, in all steps; without labels they
    are the actions that were taken, in solved episodes."""
    inputs, actions = [], []
    for path in (path for one in folder.split(",") for path in sorted(glob.glob(f"{one}/npz-*.npz"))):
        data = numpy.load(path, allow_pickle=False)
        labelled = "labels" in data.files
        taken = numpy.repeat(data["successes"] | labelled, numpy.diff(data["offsets"]))
        inputs.append(around(data["terrain"][taken], data["objects"][taken], data["agent"][taken]))
        actions.append(data["labels" if labelled else "actions"][taken])
    if not inputs:
        sys.exit(f"{folder} has no npz-*.npz files: build the dataset with --format npz")
    return numpy.concatenate(inputs), numpy.concatenate(actions)


def batches(inputs, actions, size, chance):
    order = chance.permutation(len(actions))
    for begin in range(0, len(order), size):
        batch = order[begin:begin + size]
        yield inputs[batch].astype(numpy.float32), actions[batch]


# ---- A policy: one hidden layer, and Adam ----


class Policy:
    def __init__(self, weights):
        self.weights = weights

    @classmethod
    def new(cls, inputs, hidden, actions, chance):
        def layer(n, m):
            return chance.normal(0, (2 / n) ** 0.5, (n, m)).astype(numpy.float32)
        return cls([layer(inputs, hidden), numpy.zeros(hidden, "f"), layer(hidden, actions), numpy.zeros(actions, "f")])

    def forward(self, inputs):
        first, bias, second, more = self.weights
        hidden = numpy.maximum(inputs @ first + bias, 0)
        logits = hidden @ second + more
        odds = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, odds / odds.sum(axis=1, keepdims=True)

    def gradients(self, inputs, actions):
        """Returns the gradients of the mean cross entropy, and that mean."""
        hidden, odds = self.forward(inputs)
        rows = numpy.arange(len(actions))
        loss = -numpy.log(odds[rows, actions] + 1e-9).mean()
        odds[rows, actions] -= 1
        odds /= len(actions)
        below = (odds @ self.weights[2].T) * (hidden > 0)
        return [inputs.T @ below, below.sum(axis=0), hidden.T @ odds, odds.sum(axis=0)], loss


def train(folder, path, epochs=12, seed=0):
    chance = numpy.random.default_rng(seed)
    inputs, actions = load(folder)
    policy = Policy.new(inputs.shape[1], 96, 6, chance)
    means, squares = ([numpy.zeros_like(weight) for weight in policy.weights] for _ in range(2))
    step = 0
    for epoch in range(int(epochs)):
        losses = []
        for batch in batches(inputs, actions, 64, chance):
            gradients, loss = policy.gradients(*batch)
            losses.append(loss)
            step += 1
            for weight, gradient, mean, square in zip(policy.weights, gradients, means, squares):
                mean += 0.1 * (gradient - mean)
                square += 0.001 * (gradient ** 2 - square)
                weight -= 0.001 * (mean / (1 - 0.9 ** step)) / (numpy.sqrt(square / (1 - 0.999 ** step)) + 1e-8)
        print(f"epoch {epoch + 1}: {len(actions)} steps, loss {numpy.mean(losses):.3f}")
    numpy.savez(path, *policy.weights)


# ---- The agent: docs/agents.md ----


def play(path):
    with numpy.load(path, allow_pickle=False) as saved:
        policy = Policy([saved[name] for name in saved.files])
    for line in sys.stdin:
        message, reply = json.loads(line), {}
        if message["op"] == "close":
            return
        if message["op"] == "hello":
            reply = {"protocol": 1, "name": "behaviour-cloning", "modes": ["state"], "actions": "numbers"}
        if message["op"] == "reset":
            chance = numpy.random.default_rng(message["random_seed"])
        if message["op"] in ("reset", "step"):
            state = message["observations"]["state"]
            grid, position = state["grid"], state["agent"]["position"]
            seen = around(numpy.array([grid["terrain"]]), numpy.array([grid["objects"]]), numpy.array([position]))
            odds = policy.forward(seen.astype(numpy.float32))[1][0].astype(float)
            reply = {"action": int(chance.choice(len(odds), p=odds / odds.sum()))}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("train", "play"):
        sys.exit(__doc__)
    {"train": train, "play": play}[sys.argv[1]](*sys.argv[2:])
