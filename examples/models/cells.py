"""What objects.py sees in a frame: square cells, each with a pattern; a bar at the border that counts; and what lies around every cell. All of it is
a function of the frame and of what is carried from frame to frame."""
import numpy as np

SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ."
NONE = 62  # `.`: no colour
NUMBERS = np.full(128, 0, np.uint8)
NUMBERS[[ord(sign) for sign in SIGNS]] = np.arange(len(SIGNS))
LETTERS = np.frombuffer(SIGNS.encode(), np.uint8)
LARGE = 48  # from this width on a cell has more than one pixel
PARTS = 3  # pixels of a cell's side, before it was enlarged
POWERS = np.array([64 ** i for i in range(PARTS * PARTS)], np.int64)


def read_frame(text, width, height):
    return NUMBERS[np.frombuffer(text.encode(), np.uint8)].reshape(height, width)


def write_frame(frame):
    return LETTERS[frame].tobytes().decode()


# ---- Bars ------------------------------------------------------------------------------------------------------------

def bar_of(frame):
    """The last row as a bar: how many pixels its first colour has, and both colours. None if the row is no bar."""
    row = frame[-1]
    edges = np.flatnonzero(row[1:] != row[:-1])
    if len(edges) > 1:
        return None
    return (int(edges[0]) + 1, int(row[0]), int(row[-1])) if len(edges) else (len(row), int(row[0]), -1)


def lengths_of(width, budgets, time):
    """How long a bar is that has run for so many actions, for each budget."""
    return -(-width * np.maximum(0, budgets - time) // budgets)


# ---- Cells -----------------------------------------------------------------------------------------------------------

def grid_of(frame):
    """The side of the cells and where the first one begins: (side, y, x). Cells are the largest squares on whose borders most edges lie."""
    height, width = frame.shape
    if width < LARGE:
        return 1, 0, 0
    board = frame[:-1]
    columns = np.zeros(width)
    rows = np.zeros(height)
    columns[1:] = (board[:, 1:] != board[:, :-1]).sum(0)
    rows[1:-1] = (board[1:] != board[:-1]).sum(1)
    best = (3, 0, 0)
    for side in range(3, 16, 3):
        across = [columns[i::side].sum() for i in range(side)]
        down = [rows[i::side].sum() for i in range(side)]
        if max(across) >= 0.72 * columns.sum() and max(down) >= 0.72 * rows.sum():
            best = (side, int(np.argmax(down)), int(np.argmax(across)))
    return best


def tokens_of(frame, grid):
    """A number for the pattern of each cell. In small frames a cell is a pixel, and its number the colour."""
    side, top, left = grid
    if side == 1:
        return frame.astype(np.int64)
    part = side // PARTS
    rows, columns = places_of(frame.shape, grid)
    samples = frame[np.ix_(rows, columns)].astype(np.int64)
    n, m = len(rows) // PARTS, len(columns) // PARTS
    cells = samples.reshape(n, PARTS, m, PARTS).transpose(0, 2, 1, 3).reshape(n, m, PARTS * PARTS)
    return cells @ POWERS


def nothing(grid):
    """The number of a cell without colours."""
    return NONE if grid[0] == 1 else NONE * int(POWERS.sum())


def places_of(shape, grid):
    """The pixels that stand for the parts of all whole cells, by row and by column."""
    side, top, left = grid
    part = side // PARTS
    return tuple(np.arange(first, first + (size - first) // side * side, part) for size, first in zip(shape, (top, left)))


def put_token(frame, grid, y, x, token):
    """Draws a pattern into a cell."""
    side, top, left = grid
    if side == 1:
        frame[y, x] = token
        return
    pattern = (token // POWERS % 64).reshape(PARTS, PARTS).astype(np.uint8)
    part = side // PARTS
    frame[top + y * side:top + (y + 1) * side, left + x * side:left + (x + 1) * side] = pattern.repeat(part, 0).repeat(part, 1)
