"""Checks messages against the types of the Language Server Protocol: conformance.py FILE

FILE has one JSON object on each line: {"method": …, "message": …}, where the method of a response is that
of its request. The types are those of the package lsprotocol, which is generated from the protocol's model.
A message must have the type of its method, and must not lose a member when it is read and written again, so
that misspelled members are found too. Prints the messages that don't conform. The exit code is 1 if there
are any, and 77 if lsprotocol is not installed.
"""

import json
import sys

try:
    from lsprotocol import converters, types
except ImportError:
    print("lsprotocol is not installed")
    sys.exit(77)

CONVERTER = converters.get_converter()


def lost(written, read, path=""):
    """Yields the members and elements of a message that are missing after it was read."""
    if isinstance(written, dict) and isinstance(read, dict):
        for name, value in written.items():
            if name not in read:
                if value is not None:
                    yield f"{path}.{name}"
            else:
                yield from lost(value, read[name], f"{path}.{name}")
    elif isinstance(written, list) and isinstance(read, list):
        if len(written) != len(read):
            yield path
        for index, (a, b) in enumerate(zip(written, read)):
            yield from lost(a, b, f"{path}[{index}]")
    elif written != read:
        yield path


def type_of(method, message):
    if "error" in message:
        return types.ResponseErrorMessage
    if "method" in message:
        return types.METHOD_TO_TYPES[method][0]
    return types.METHOD_TO_TYPES[method][1]


def check(method, message):
    if method not in types.METHOD_TO_TYPES:
        return [] if "error" in message else [f"{method} is not a method of the protocol"]
    try:
        value = CONVERTER.structure(message, type_of(method, message))
    except Exception as error:
        causes = [error]
        while getattr(causes[-1], "exceptions", None):
            causes.append(causes[-1].exceptions[0])
        return ["; ".join(f"{cause}" for cause in causes)]
    read = json.loads(json.dumps(CONVERTER.unstructure(value)))
    problems = [f"{path} is not a member of the type" for path in lost(message, read)]
    if method == "$/progress":
        # The model has no type for the value, which depends on the request.
        content = message["params"]["value"]
        kind = getattr(types, "WorkDoneProgress" + content["kind"].capitalize())
        read = CONVERTER.unstructure(CONVERTER.structure(content, kind))
        problems += [f"{path} is not a member of {kind.__name__}" for path in lost(content, read)]
    return problems


def main():
    failures = 0
    methods = set()
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            for problem in check(entry["method"], entry["message"]):
                failures += 1
                print(f"{entry['method']}: {problem}: {json.dumps(entry['message'])[:400]}")
            methods.add(entry["method"])
    print(f"{len(methods)} methods")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
