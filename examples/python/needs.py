"""What a program of this folder asks for before it needs anything but the standard library: its options, and the packages that it cannot do without."""
import argparse
import importlib.util

PACKAGES = {"seedbed": "'.' (in the folder of Seedbed)", "stable_baselines3": "stable-baselines3"}  # of modules that are not called like their package


def parser_of(text, task):
    """Returns a parser with the options that all of them have. text: the example's own; task: the one that it learns by default."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default=task)
    parser.add_argument("--difficulty", default="easy")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", help="a file for the result, which `seedbed report` and `seedbed verify` read")
    return parser


def check(parser, *modules):
    """Ends the program with exit code 2 and what to install if a module is missing; without them `--help` works, and mistakes in options are found."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if not missing:
        return
    parser.parse_args()
    parser.exit(2, f"{parser.prog}: {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed: "
                   f"pip install {' '.join(PACKAGES.get(module, module) for module in missing)}\n")
