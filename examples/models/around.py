"""What lies around every cell, as numbers: each way of looking (a view) makes one number a cell, and equal numbers mean equal surroundings."""
import numpy as np

SQUARE = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]
CROSS, FAR_CROSS = SQUARE[:5], [(-2, 0), (2, 0), (0, -2), (0, 2)]
RING = [(y, x) for y in range(-2, 3) for x in range(-2, 3) if max(abs(y), abs(x)) == 2]
WAYS = [(-1, 0), (1, 0), (0, -1), (0, 1)]
RANDOM = np.random.default_rng(20270101).integers(1, 2 ** 63, 128, np.uint64) | np.uint64(1)
OUTSIDE = -7  # stands for a pattern where there is no cell


def mixed(numbers, slot=0):
    """Numbers as good as random ones, which may be added up. What does not fit into 64 bits is cut off."""
    x = np.atleast_1d(np.asarray(numbers).astype(np.uint64)) * RANDOM[slot]
    x ^= x >> np.uint64(29)
    x *= RANDOM[127]
    x ^= x >> np.uint64(32)
    return x if np.ndim(numbers) else x[0]


def mixed_text(text):
    """The same for a text."""
    x = 14695981039346656037
    for byte in text.encode():
        x = (x ^ byte) * 1099511628211 & 0xffffffffffffffff
    return np.uint64(x)


def shifted(numbers, y, x, margin):
    """The numbers of the neighbours y down and x to the right; `numbers` has a margin on all sides."""
    height, width = numbers.shape[0] - 2 * margin, numbers.shape[1] - 2 * margin
    return numbers[margin + y:margin + y + height, margin + x:margin + x + width]


def padded(tokens, margin=2):
    return np.pad(tokens, margin, constant_values=OUTSIDE)


def summed(numbers, places, first_slot=1):
    total = np.uint64(0)
    for slot, (y, x) in enumerate(places, first_slot):
        total = total + shifted(numbers, y, x, 2) * RANDOM[slot]
    return total


def rays(tokens, ground):
    """What is seen from every cell in the four directions over the ground, and how far it is."""
    total = np.zeros(tokens.shape, np.uint64)
    for slot, (dy, dx) in enumerate(WAYS, 60):
        seen = np.full(tokens.shape, OUTSIDE, np.int64)
        far = np.zeros(tokens.shape, np.int64)
        order = {(-1, 0): range(1, tokens.shape[0]), (1, 0): range(tokens.shape[0] - 2, -1, -1), (0, -1): range(1, tokens.shape[1]),
                 (0, 1): range(tokens.shape[1] - 2, -1, -1)}[dy, dx]
        for i in order:
            here, there = (np.s_[i, :], np.s_[i + dy, :]) if dy else (np.s_[:, i], np.s_[:, i + dx])
            free = tokens[there] == ground
            seen[here] = np.where(free, seen[there], tokens[there])
            far[here] = np.where(free, far[there] + 1, 0)
        total += mixed(seen * 64 + np.minimum(far, 9), slot)
    return total


def turned(way):
    """The neighbours as somebody sees them who looks that way: ahead, behind, and both sides; then those beyond, and the corners ahead and behind."""
    dy, dx = way
    return {"ahead": [(dy, dx)], "behind": [(-dy, -dx)], "sides": [(dx, dy), (-dx, -dy)], "far ahead": [(2 * dy, 2 * dx)], "far behind": [(-2 * dy, -2 * dx)],
            "ahead, sides": [(dy + dx, dx + dy), (dy - dx, dx - dy)], "behind, sides": [(dx - dy, dy - dx), (-dx - dy, -dy - dx)],
            "far sides": [(2 * dx, 2 * dy), (-2 * dx, -2 * dy)]}


def clicked(shape, place):
    """Where every cell lies from the clicked one: within two cells exactly, else in the same row or column, or elsewhere."""
    y, x = np.indices(shape)
    dy, dx = y - place[0], x - place[1]
    near = (np.abs(dy) <= 2) & (np.abs(dx) <= 2)
    return np.where(near, 100 + (dy + 2) * 5 + dx + 2, np.where(dy == 0, 1, np.where(dx == 0, 2, 3)))
