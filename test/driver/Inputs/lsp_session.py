# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens one text in a language server and prints what the server says of it, a line each.

Usage: lsp_session.py FILE LINE CHARACTER -- SERVER [ARGUMENT...]

Prints the diagnostics and then what hovering over the place (both counted from 0) shows.
"""

import json
import pathlib
import subprocess
import sys


def frame(message):
    """A message as it goes over the wire."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def messages(stream):
    """Messages of the server until it closes the stream."""
    while True:
        length = None
        while (line := stream.readline().strip()) or length is None:
            if not line:
                return
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        yield json.loads(stream.read(length))


def main():
    separator = sys.argv.index("--")
    path, line, character = sys.argv[1:separator]
    uri = "test:///input.mlir"
    document = {"uri": uri, "languageId": "mlir", "version": 1, "text": pathlib.Path(path).read_text()}
    place = {"textDocument": {"uri": uri}, "position": {"line": int(line), "character": int(character)}}
    session = [
        {"id": 0, "method": "initialize", "params": {"processId": None, "capabilities": {}, "rootUri": None}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": 1, "method": "textDocument/hover", "params": place},
        {"id": 2, "method": "shutdown", "params": None},
        {"method": "exit", "params": None},
    ]
    with subprocess.Popen(
        sys.argv[separator + 1 :], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        server.stdin.write(b"".join(frame(message) for message in session))
        server.stdin.close()
        for message in messages(server.stdout):
            if message.get("method") == "textDocument/publishDiagnostics":
                for diagnostic in message["params"]["diagnostics"]:
                    start = diagnostic["range"]["start"]
                    print(f"diagnostic {start['line']}:{start['character']}: {diagnostic['message']}")
            elif message.get("id") == 1:
                print("hover:", json.dumps(message.get("result")))
        print("exit status:", server.wait())


if __name__ == "__main__":
    main()
