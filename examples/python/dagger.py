"""DAgger with NumPy alone: the policy acts, the expert says what should have been done, the policy learns that.

    python dagger.py
    python dagger.py --cloning

With --cloning the expert acts as well (behaviour cloning): the policy then never sees where its own mistakes lead. The loop is `train`;
the rest is a network with one hidden layer. `vec.expert_actions()` labels every environment's state, however it got there.

After 400 steps of 256 environments, fifteen seconds of one processor, the policy wins all 25 official evaluation episodes of TagHunt easy
and 497 to 500 of 500 others, with any of three seeds; by cloning it wins 486 or 488 of these. A random agent wins one in five.
"""
import numpy as np

import seedbed
import shared


class Network:
    """One hidden layer, softmax, and Adam on cross-entropy."""

    def __init__(self, inputs, outputs, hidden, rate, rng):
        self.weights = [rng.standard_normal((inputs, hidden)).astype(np.float32) * (2 / inputs) ** 0.5, np.zeros(hidden, np.float32),
                        rng.standard_normal((hidden, outputs)).astype(np.float32) * (1 / hidden) ** 0.5, np.zeros(outputs, np.float32)]
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.rate, self.updates = rate, 0

    def forward(self, inputs):
        first, first_bias, second, second_bias = self.weights
        hidden = np.maximum(inputs @ first + first_bias, 0)
        return hidden, hidden @ second + second_bias

    def act(self, inputs):
        return self.forward(inputs)[1].argmax(axis=1)

    def learn(self, inputs, labels):
        hidden, logits = self.forward(inputs)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        error = odds / odds.sum(axis=1, keepdims=True)
        error[np.arange(len(labels)), labels] -= 1
        self.descend(inputs, hidden, error / len(labels))

    def descend(self, inputs, hidden, error):
        """A step of Adam down the gradient of a loss. error: its gradient by the outputs."""
        below = error @ self.weights[2].T * (hidden > 0)
        self.updates += 1
        gradients = inputs.T @ below, below.sum(axis=0), hidden.T @ error, error.sum(axis=0)
        for w, (mean, square), gradient in zip(self.weights, self.moments, gradients):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient ** 2 - square)
            w -= self.rate * mean / (1 - 0.9 ** self.updates) / (np.sqrt(square / (1 - 0.999 ** self.updates)) + 1e-8)


def encode(obs, space):
    return shared.around_agent(obs, space).reshape(len(obs["agent"]), -1).astype(np.float32)


def train(args):
    rng = np.random.default_rng(args.seed)
    vec = seedbed.make_vec(args.task, args.environments, difficulty=args.difficulty, obs="arrays", autoreset="SameStep")
    inputs = encode(vec.reset(seed=args.seed)[0], vec.single_observation_space)
    network = Network(inputs.shape[1], vec.n_actions, args.hidden, args.rate, rng)
    memory, agreed = [], []
    for step in range(1, args.steps + 1):
        labels, actions = vec.expert_actions(), network.act(inputs)
        memory = [*memory[-args.memory:], (inputs, labels)]
        agreed.append(np.mean(actions == labels))
        for i in (-1, rng.integers(len(memory))):
            network.learn(*memory[i])
        # The expert acts at first, and less and less.
        by_expert = args.cloning or rng.random(args.environments) < 1 - 4 * step / args.steps
        obs, *_ = vec.step(np.where(by_expert, labels, actions))
        inputs = encode(obs, vec.single_observation_space)
        if step % 50 == 0:
            print(f"step {step}: policy and expert agree on {np.mean(agreed[-50:]):.0%} of the states", flush=True)
    return network


def evaluate(network, args):
    space = shared.space_of(args)
    return shared.evaluate(lambda obs: network.act(encode(obs, space)), args)


def arguments():
    parser = shared.parser_of(__doc__, task="TagHunt-v0")
    parser.add_argument("--cloning", action="store_true", help="let the expert act")
    parser.add_argument("--steps", type=int, default=400, help="steps of each environment")
    parser.add_argument("--environments", type=int, default=256)
    parser.add_argument("--memory", type=int, default=64, help="steps that are learnt from again")
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--rate", type=float, default=1e-3)
    return parser


if __name__ == "__main__":
    args = arguments().parse_args()
    shared.report(evaluate(train(args), args), args)
