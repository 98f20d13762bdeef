"""What is done next."""


class Choice:
    def __init__(self, button, cell=None, goal=None, path=(), why=""):
        self.button, self.cell, self.goal, self.path, self.why = button, cell, goal, list(path), why
        self.is_sure, self.work = False, 0  # of a plan: its goal ended a level before; predictions that the arena's planner needs for it
