"""Measures the language server as a client sees it: bench.py QUERYGEN

The project has 200 tables in 200 migrations and 2,000 queries in 100 files. Prints the median and the 95th
percentile of the time from the last byte of a message to the last byte of its answer, in milliseconds.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

TABLES, FILES, QUERIES = 200, 100, 20
SHAPES = [
    "SELECT * FROM t{a} WHERE id = :id",
    "SELECT x.name, y.note FROM t{a} AS x JOIN t{b} AS y ON y.parent = x.id WHERE x.size > :size ORDER BY x.name",
    "SELECT parent, count(*) AS rows, max(size) AS largest FROM t{a} GROUP BY parent HAVING count(*) > :least",
    "UPDATE t{a} SET name = :name, size = size + 1 WHERE id IN :ids",
]


def write_project(folder):
    (folder / "Migrations").mkdir()
    (folder / "Queries").mkdir()
    for table in range(TABLES):
        parent = f" REFERENCES t{table - 1} (id)" if table else ""
        (folder / f"Migrations/{table + 1:03}_t{table}.sql").write_text(
            f"CREATE TABLE t{table} (\n  id INTEGER PRIMARY KEY,\n  name TEXT NOT NULL,\n"
            f"  parent INTEGER{parent},\n  size INTEGER NOT NULL DEFAULT 0,\n  note TEXT\n);\n"
            f"CREATE INDEX t{table}_by_parent ON t{table} (parent);\n")
    for file in range(FILES):
        queries = []
        for place in range(QUERIES):
            number = file * QUERIES + place
            shape = SHAPES[number % len(SHAPES)].format(a=number % TABLES, b=(number + 1) % TABLES)
            queries.append(f"DEFINE QUERY q{number} AS\n{shape};\n")
        (folder / f"Queries/F{file:03}.sql").write_text("\n".join(queries))


class Client:
    def __init__(self, command, folder):
        self.process = subprocess.Popen(
            [command, "lsp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.versions = {}
        self.arrived = threading.Condition()
        self.responses, self.diagnostics = {}, {}
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        stream = self.process.stdout
        while True:
            length = 0
            while (line := stream.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            message = json.loads(stream.read(length))
            now = time.perf_counter()
            with self.arrived:
                if message.get("method") == "textDocument/publishDiagnostics":
                    parameters = message["params"]
                    self.diagnostics[parameters["uri"], parameters.get("version")] = (now, parameters)
                elif "method" in message and "id" in message:
                    self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
                elif "id" in message:
                    self.responses[message["id"]] = (now, message)
                self.arrived.notify_all()

    def send(self, message):
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        return time.perf_counter()

    def notify(self, method, parameters):
        return self.send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def request(self, method, parameters):
        """Returns the answer, and the milliseconds until it arrived."""
        self.number += 1
        number = self.number
        sent = self.send(
            {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        with self.arrived:
            if not self.arrived.wait_for(lambda: number in self.responses, timeout=30):
                raise TimeoutError(method)
            now, message = self.responses.pop(number)
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return message["result"], (now - sent) * 1_000

    def open(self, path):
        self.versions[path] = 1
        return self.notify("textDocument/didOpen", {"textDocument": {
            "uri": path.as_uri(), "languageId": "sql", "version": 1, "text": path.read_text()}})

    def change(self, path, line, start, end, text):
        """Replaces characters of a line, and returns the milliseconds until the diagnostics arrived."""
        self.versions[path] += 1
        version = self.versions[path]
        sent = self.notify("textDocument/didChange", {
            "textDocument": {"uri": path.as_uri(), "version": version},
            "contentChanges": [{"range": {
                "start": {"line": line, "character": start}, "end": {"line": line, "character": end}},
                "text": text}]})
        now, _ = self.published(path, version)
        return (now - sent) * 1_000

    def published(self, path, version):
        key = (path.as_uri(), version)
        with self.arrived:
            if not self.arrived.wait_for(lambda: key in self.diagnostics, timeout=30):
                raise TimeoutError(f"no diagnostics of version {version} of {path.name}")
            return self.diagnostics[key]

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1_024


def report(name, times, goal):
    times = sorted(times)
    middle, late = times[len(times) // 2], times[min(len(times) - 1, len(times) * 95 // 100)]
    verdict = "" if late <= goal else "  (above the goal)"
    print(f"{name:44} {middle:8.1f} {late:8.1f}   {goal:6}{verdict}", flush=True)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        write_project(folder)
        started = time.perf_counter()
        client = Client(str(pathlib.Path(sys.argv[1]).resolve()), folder)
        client.request("initialize", {
            "processId": None, "rootUri": folder.as_uri(), "capabilities": {},
            "workspaceFolders": [{"uri": folder.as_uri(), "name": "bench"}]})
        client.notify("initialized", {})
        queries = folder / "Queries/F050.sql"
        migration = folder / "Migrations/100_t99.sql"
        client.open(queries)
        now, _ = client.published(queries, 1)
        print(f"{'milliseconds':44} {'median':>8} {'p95':>8}   {'goal':>6}")
        report("start to the first diagnostics", [(now - started) * 1_000], 400)
        time.sleep(2)
        client.open(migration)
        client.published(migration, 1)

        # A letter is inserted in a column's name, and removed again, five times in a second. Both change the
        # diagnostics.
        lines = queries.read_text().split("\n")
        join = next(place for place, line in enumerate(lines) if line.startswith("SELECT x.name"))
        edits = []
        for _ in range(100):
            for edit in [(9, 9, "x"), (9, 10, "")]:
                time.sleep(0.2)
                edits.append(client.change(queries, join, *edit))
        report("edit of a query to its diagnostics", edits, 50)

        at = {"textDocument": {"uri": queries.as_uri()}, "position": {"line": join, "character": 10}}
        table = {"textDocument": {"uri": queries.as_uri()},
                 "position": {"line": join, "character": lines[join].index("FROM t") + 6}}
        clause = {"textDocument": {"uri": queries.as_uri()},
                  "position": {"line": join, "character": lines[join].index("WHERE x.") + 8}}
        requests = [
            ("completion of a column", "textDocument/completion", clause, 20),
            ("hover", "textDocument/hover", at, 5),
            ("definition", "textDocument/definition", at, 5),
            ("references of a column", "textDocument/references",
             at | {"context": {"includeDeclaration": True}}, 100),
            ("references of a table", "textDocument/references",
             table | {"context": {"includeDeclaration": True}}, 100),
            ("rename of a column", "textDocument/rename", at | {"newName": "title"}, 100),
        ]
        for title, method, parameters, goal in requests:
            times = []
            for _ in range(50):
                answer, milliseconds = client.request(method, parameters)
                assert answer, f"{method} has no answer"
                times.append(milliseconds)
            report(title, times, goal)

        # A column is renamed in a migration and back, which changes the diagnostics of queries.
        edits = []
        for _ in range(25):
            edits.append(client.change(migration, 2, 2, 6, "nome"))
            edits.append(client.change(migration, 2, 2, 6, "name"))
            time.sleep(0.3)
        report("edit of a migration to its diagnostics", edits, 150)
        print(f"{'memory in MB':44} {client.memory():8.0f} {'':8}   {80:6}")
        client.request("shutdown", None)
        client.notify("exit", None)
        client.process.wait(5)


main()
