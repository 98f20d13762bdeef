# What the words of scripts/docs share. Without a docstring it is no word itself.
import json
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def load(path, absent=None):
    """What a JSON file holds, or `absent` where there is none."""
    if not os.path.exists(path):
        return absent
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def save(path, found):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1)
        file.write("\n")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def settle(word, wanted, check):
    """Writes the pages that are not as wanted (the text of each, by its path in the repository). With `check` it only returns what is wrong, a line a page."""
    wrong = []
    for name, text in wanted.items():
        path = os.path.join(ROOT, name)
        if os.path.exists(path) and read(path) == text:
            continue
        if check:
            wrong.append(f"{name} is out of date: ./scripts/docs {word}")
            continue
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return wrong
