"""A validator for the keywords of JSON Schema in docs/formats.md."""

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
NOTES = {"$schema", "$id", "$defs", "title", "description"}


def is_of(value, kind):
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


class Validator:
    def __init__(self, schema):
        self.schema, self.used = schema, set()  # the properties that were compared with a document

    def fits(self, value, schema=None):
        """Returns whether the value fits. Every keyword is a method; an unknown keyword raises an error."""
        schema = self.schema if schema is None else schema
        return all(getattr(self, "of_" + key.strip("$"))(value, told, schema) for key, told in schema.items() if key not in NOTES)

    def of_ref(self, value, name, _):
        return self.fits(value, self.schema["$defs"][name.removeprefix("#/$defs/")])

    def of_type(self, value, kind, _):
        return is_of(value, kind)

    def of_enum(self, value, choices, _):
        return any(value == choice and isinstance(value, bool) == isinstance(choice, bool) for choice in choices)

    def of_minimum(self, value, least, _):
        return not is_of(value, "number") or value >= least

    def of_maximum(self, value, most, _):
        return not is_of(value, "number") or value <= most

    def of_minItems(self, value, least, _):
        return not isinstance(value, list) or len(value) >= least

    def of_maxItems(self, value, most, _):
        return not isinstance(value, list) or len(value) <= most

    def of_items(self, value, items, schema):
        return not isinstance(value, list) or all(self.fits(item, items) for item in value[len(schema.get("prefixItems", [])):])

    def of_prefixItems(self, value, items, _):
        return not isinstance(value, list) or all(map(self.fits, value, items))

    def of_properties(self, value, properties, schema):
        if not isinstance(value, dict):
            return True
        known = [key for key in properties if key in value]
        if not all(self.fits(value[key], properties[key]) for key in known):
            return False
        self.used.update((id(schema), key) for key in known)
        return True

    def of_required(self, value, keys, _):
        return not isinstance(value, dict) or all(key in value for key in keys)

    def of_additionalProperties(self, value, told, schema):
        others = [value[key] for key in value if key not in schema.get("properties", {})] if isinstance(value, dict) else []
        return all(self.fits(other, told) for other in others) if isinstance(told, dict) else not others

    def of_oneOf(self, value, choices, _):
        return sum(self.fits(value, choice) for choice in choices) == 1


def schemas_in(schema):
    """Yields a schema and all schemas inside it."""
    yield schema
    inner = [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
    inner += [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values(), *schema.get("oneOf", []), *schema.get("prefixItems", [])]
    for each in inner:
        yield from schemas_in(each)
