"""Adaptors for frameworks that train language models. Each is a module of its framework's name, which imports that; they stand on `seedbed.textplay`."""
