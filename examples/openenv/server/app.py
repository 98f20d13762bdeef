"""The application. The variable SEEDBED_OPENENV says which episodes it has: a JSON object of the arguments of seedbed.adaptors.openenv.create."""
from seedbed.adaptors.openenv import app, main

__all__ = ["app", "main"]

if __name__ == "__main__":
    main()
