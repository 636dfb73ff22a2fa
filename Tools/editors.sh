#!/bin/bash
# usage: Tools/editors.sh QUERYGEN
# Runs the language server with real clients: headless Neovim, Emacs with Eglot, and pytest-lsp, a Python
# client. Runs the VS Code extension in Node with stand-ins for VS Code's modules. Skips a client that is not installed. PYTHON is the interpreter that has pytest-lsp, by default
# python3.
set -uo pipefail
cd "$(dirname "$0")/.."
QUERYGEN=$(realpath "$1")
export QUERYGEN
PROJECT=$(mktemp -d)
export PROJECT
trap 'rm -rf "$PROJECT"' EXIT
status=0

project() {
  rm -rf "${PROJECT:?}"/*
  mkdir -p "$PROJECT/Migrations" "$PROJECT/Queries"
  printf 'CREATE TABLE note (\n  id INTEGER PRIMARY KEY,\n  text TEXT NOT NULL\n);\n' \
    >"$PROJECT/Migrations/001_note.sql"
  printf 'notes:\nSELECT txt FROM note ORDER BY text;\n' >"$PROJECT/Queries/Note.sql"
}

if command -v nvim >/dev/null; then
  nvim --version | head -1
  project
  timeout 60 nvim --headless --clean -n -S Tools/Editors/session.lua 2>&1 || status=1
else
  echo "skipped: Neovim is not installed (apt-get install neovim)"
fi

if command -v emacs >/dev/null && emacs --batch -q -f package-initialize --eval "(require 'eglot)" 2>/dev/null; then
  emacs --version | head -1
  project
  timeout 60 emacs --batch -q -l Tools/Editors/session.el || status=1
else
  echo "skipped: Emacs with Eglot is not installed (apt-get install emacs-nox elpa-eglot)"
fi

python=${PYTHON:-python3}
if "$python" -c 'import pytest_lsp, lsprotocol' 2>/dev/null; then
  project
  timeout 120 "$python" -m pytest -q -p no:cacheprovider Tools/Editors/test_session.py || status=1
else
  echo "skipped: pytest-lsp is not installed (pip install pytest-lsp lsprotocol)"
fi

if command -v node >/dev/null; then
  node --test Tools/Editors/VSCode/extension.test.js || status=1
else
  echo "skipped: Node is not installed (apt-get install nodejs)"
fi
exit $status
