"""What a frame shows, as a board: cells of equal size, each of a kind. A kind is a pattern of three by three colours, or in small frames one colour; what
kinds mean is nowhere said. A board is bytes, a number of a kind for each cell."""

import math

LARGE = 48  # from this width on a cell has more than one pixel
KIND = 100  # bits that a further kind has to save
PARTS = 3  # pixels of a cell's side, before it was enlarged
BUDGETS = [2, 399]  # actions that a bar may count
ALIGNED = 0.98  # of all edges, that should lie on the borders of dots


class Grid:
    """Where the cells of a frame are."""

    def __init__(self, width, height, side, top, left):
        self.width, self.height, self.side, self.top, self.left = width, height, side, top, left
        self.rows, self.columns = (height - top) // side, (width - left) // side
        self.steps = {"up": -self.columns, "down": self.columns, "left": -1, "right": 1}

    def told(self):
        return [self.width, self.height, self.side, self.top, self.left]

    def centre(self, cell):
        """The pixel in the middle of a cell: (x, y)."""
        row, column = divmod(cell, self.columns)
        return self.left + column * self.side + self.side // 2, self.top + row * self.side + self.side // 2

    def cell_at(self, x, y):
        row, column = (y - self.top) // self.side, (x - self.left) // self.side
        return row * self.columns + column if 0 <= row < self.rows and 0 <= column < self.columns else None


def edges_of(text, width, height):
    """How many edges lie before each column and each row."""
    lines = [text[y * width:(y + 1) * width] for y in range(height - 1)]
    columns = [sum(line[x] != line[x - 1] for line in lines) if x else 0 for x in range(width)]
    return columns, [sum(a != b for a, b in zip(lines[y], lines[y - 1])) if y else 0 for y in range(height - 1)]


def phase(edges, dot):
    """Where dots begin, if their borders have nearly all edges."""
    most, at = max((sum(edges[i::dot]), -i) for i in range(dot))
    return -at if most >= ALIGNED * sum(edges) else None


def bits(text, grid, columns, rows):
    """About how long a frame is, told by its cells: the kinds, the cells, and what lies outside of them."""
    kinds = Kinds()
    board = read_board(text, grid, kinds)
    outside = sum(columns[:grid.left]) + sum(columns[grid.left + grid.columns * grid.side + 1:])
    outside += sum(rows[:grid.top]) + sum(rows[grid.top + grid.rows * grid.side + 1:])
    counts = [board.count(kind) for kind in range(len(kinds.patterns))]
    return KIND * len(counts) + sum(n * math.log2(len(board) / n) for n in counts if n) + 4 * outside


def find_grid(text, width, height):
    """The cells by which the frame is told in the fewest bits."""
    if width < LARGE:
        return Grid(width, height, 1, 0, 0)
    columns, rows = edges_of(text, width, height)
    found = [(float("inf"), 0, Grid(width, height, PARTS, 0, 0))]
    for dot in range(1, width // (2 * PARTS) + 1):
        left, top = phase(columns, dot), phase(rows, dot)
        for i in range(PARTS ** 2 if left is not None and top is not None else 0):
            grid = Grid(width, height, PARTS * dot, top + i // PARTS * dot, left + i % PARTS * dot)
            found.append((bits(text, grid, columns, rows), len(found), grid))
    return min(found)[2]


# ---- Bars ------------------------------------------------------------------------------------------------------------

def bar_of(text, width):
    """The last row as a bar: (pixels of its first colour, that colour, the other or None); None if it is no bar."""
    row = text[-width:]
    n = width - len(row.lstrip(row[0]))
    if n == width:
        return width, row[0], None
    return (n, row[0], row[-1]) if not row[n:].strip(row[-1]) else None


def bar_length(width, budget, time):
    """How long a bar is that has run for so many actions."""
    return -(-width * max(0, budget - time) // budget)


def narrowed(budgets, text, width, time):
    """[least, most]: how many actions a bar may begin with that is so long now. None: there is no such bar."""
    bar = bar_of(text, width)
    if not bar or not budgets:
        return None
    lengths = [n for n in range(budgets[0], budgets[1] + 1) if bar_length(width, n, time) == bar[0]]
    return [lengths[0], lengths[-1]] if lengths else None


def draw_bar(frame, budgets, width, time):
    """Draws the bar as it will be."""
    bar = bar_of(frame, width)
    if not bar or not budgets:
        return frame
    n = bar_length(width, (budgets[0] + budgets[1] + 1) // 2, time)
    return frame[:-width] + bar[1] * n + (bar[2] or "3") * (width - n)


# ---- Kinds -----------------------------------------------------------------------------------------------------------

class Kinds:
    """Numbers of patterns, in the order in which they were first seen."""

    def __init__(self, patterns=()):
        self.patterns = list(patterns)
        self.numbers = {pattern: min(i, 255) for i, pattern in enumerate(self.patterns)}

    def number(self, pattern):
        found = self.numbers.get(pattern)
        if found is None:
            found = self.numbers[pattern] = min(len(self.patterns), 255)
            self.patterns.append(pattern)
        return found

    def shape(self, kind):
        """A pattern without its colours."""
        pattern = self.patterns[kind]
        order = []
        for colour in pattern:
            if colour not in order:
                order.append(colour)
        return "".join(chr(97 + order.index(colour)) for colour in pattern)


def read_board(text, grid, kinds):
    width, side = grid.width, grid.side
    if side == 1:
        return bytes(map(kinds.number, text))
    part, last = side // PARTS, (grid.height - 1) * width
    if text[last:]:
        text = text[:last] + text[last - width:last]  # the bar is not of the board
    out = bytearray()
    for row in range(grid.rows):
        lines = []
        for i in range(PARTS):
            at = (grid.top + row * side + i * part) * width
            lines.append(text[at + grid.left:at + width:part])
        a, b, c = lines
        for i in range(0, PARTS * grid.columns, PARTS):
            out.append(kinds.number(a[i:i + PARTS] + b[i:i + PARTS] + c[i:i + PARTS]))
    return bytes(out)


def draw_cells(text, grid, kinds, before, after):
    """Draws the cells that differ into a frame."""
    if grid.side == 1:
        return "".join(kinds.patterns[kind] for kind in after)
    lines = None
    part = grid.side // PARTS
    for cell in (i for i in range(len(after)) if before[i] != after[i]):
        if lines is None:
            lines = [text[y * grid.width:(y + 1) * grid.width] for y in range(grid.height)]
        row, column = divmod(cell, grid.columns)
        x = grid.left + column * grid.side
        pattern = kinds.patterns[after[cell]]
        for i in range(grid.side):
            y = grid.top + row * grid.side + i
            piece = "".join(colour * part for colour in pattern[i // part * PARTS:i // part * PARTS + PARTS])
            if y < grid.height - 1:
                lines[y] = lines[y][:x] + piece + lines[y][x + grid.side:]
    return text if lines is None else "".join(lines)


# ---- Parts of a board ------------------------------------------------------------------------------------------------

def neighbours(cell, grid):
    row, column = divmod(cell, grid.columns)
    if row:
        yield cell - grid.columns
    if row + 1 < grid.rows:
        yield cell + grid.columns
    if column:
        yield cell - 1
    if column + 1 < grid.columns:
        yield cell + 1


def areas(board, grid, same=None):
    """Lists of cells that hang together and are of one kind, or all of the kinds in `same`, in reading order."""
    seen, found = set(), []
    for first in range(len(board)):
        if first in seen or (same is not None and board[first] not in same):
            continue
        area, todo = [], [first]
        seen.add(first)
        while todo:
            cell = todo.pop()
            area.append(cell)
            for other in neighbours(cell, grid):
                if other not in seen and (board[other] == board[first] if same is None else board[other] in same):
                    seen.add(other)
                    todo.append(other)
        found.append(sorted(area))
    return found
