"""Records pictures of an editor session: record.py QUERYGEN FOLDER

Runs Neovim in tmux with `querygen lsp`, types as a user would, and draws the screen after each step as
FOLDER/editor-NAME.svg.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unicodedata
from html import escape

COLUMNS, LINES = 120, 15
LETTER, LINE_HEIGHT, MARGIN = 7.83, 19, 20

MIGRATION = """\
CREATE TABLE artist (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
);

CREATE TABLE album (
  id INTEGER PRIMARY KEY,
  artist INTEGER NOT NULL REFERENCES artist (id),
  title TEXT NOT NULL,
  -- The year of the first release.
  year INTEGER
);

CREATE INDEX album_by_artist ON album (artist);
"""

QUERIES = """\
-- The albums of an artist.
DEFINE QUERY albumsOf AS
SELECT title, yaer
FROM album
WHERE artist = :artist
ORDER BY year;

DEFINE QUERY albumsWithArtists AS
SELECT album.title, artist.name
FROM album

"""

SETTINGS = """\
set nocompatible noswapfile nobackup laststatus=0 noruler noshowcmd shortmess+=cI
set termguicolors signcolumn=no number completeopt=menuone,noselect pumheight=8
set updatetime=100
syntax on
set background=dark
highlight Normal guifg=#d5dce5
highlight NormalFloat guifg=#d5dce5 guibg=#29323e
highlight Pmenu guifg=#d5dce5 guibg=#29323e
highlight LineNr guifg=#566170
highlight EndOfBuffer guifg=#161b22
highlight Comment guifg=#7d8896
highlight Statement guifg=#b58ad6
highlight Special guifg=#b58ad6
highlight Type guifg=#6cb6d9
highlight LspCodeLens guifg=#7d8896
highlight DiagnosticError guifg=#e5727a
highlight DiagnosticUnderlineError gui=underline guifg=#e5727a
nnoremap <silent> K <cmd>lua vim.lsp.buf.hover()<CR>
nnoremap <silent> L <cmd>lua vim.lsp.codelens.refresh()<CR>
nnoremap <silent> E <cmd>edit Queries/Albums.sql<CR>
lua <<LUA
vim.diagnostic.config({ virtual_text = { prefix = '■' }, underline = true })
local client = vim.lsp.start_client({ name = 'querygen', cmd = { '%s', 'lsp' }, root_dir = '%s' })
vim.api.nvim_create_autocmd('FileType', { pattern = 'sql', callback = function(event)
  vim.lsp.buf_attach_client(event.buf, client)
  vim.bo[event.buf].omnifunc = 'v:lua.vim.lsp.omnifunc'
end })
LUA
"""

KEYS = {"Enter", "Escape"}

# The name of each picture, and the keys typed before it. A number is a pause in seconds.
STEPS = [
    ("diagnostics", ["E", 2]),
    ("hover", ["3G", "$", "b", "cw", "year", "Escape", 1, "K", 1]),
    ("completion", ["G", "i", "JOIN ar", 1, "C-x", "C-o", 1]),
    ("lenses", ["C-n", "C-y", "Escape", "cc", "JOIN artist ON artist.id = album.artist;", "Escape", 1, "L", 1]),
]


class Session:
    def __init__(self, folder, command):
        self.socket = str(folder / "tmux")
        self.tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(LINES), command)
        self.tmux("set", "-g", "status", "off")
        self.tmux("set", "-ga", "terminal-overrides", ",*:Tc")

    def tmux(self, *arguments):
        return subprocess.run(
            ["tmux", "-u", "-f", "/dev/null", "-S", self.socket, *arguments],
            check=True, capture_output=True, text=True).stdout

    def type(self, keys):
        for key in keys:
            if isinstance(key, (int, float)):
                time.sleep(key)
            elif key in KEYS or key.startswith("C-"):
                self.tmux("send-keys", key)
            else:
                # tmux ends a command at an argument's last semicolon.
                self.tmux("send-keys", "-l", re.sub(";$", r"\\;", key))

    def screen(self):
        return self.tmux("capture-pane", "-e", "-p", "-N")

    def end(self):
        self.tmux("kill-server")


PALETTE = [
    "#161b22", "#e5727a", "#63b892", "#e2b45b", "#6ca0d9", "#b58ad6", "#6cb6d9", "#d5dce5",
    "#7d8896", "#ff8b92", "#83d8b2", "#ffd47b", "#8cc0f9", "#d5aaf6", "#8cd6f9", "#ffffff",
]


def indexed(number):
    if number < 16:
        return PALETTE[number]
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    number -= 16
    steps = [0, 95, 135, 175, 215, 255]
    return "#%02x%02x%02x" % (steps[number // 36], steps[number // 6 % 6], steps[number % 6])


class Style:
    """The colours and attributes that escape sequences have set."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.foreground, self.background = None, None
        self.bold = self.underlined = self.reversed = False

    def apply(self, parameters):
        codes = [code.split(":") for code in (parameters or "0").split(";")]
        while codes:
            code = codes.pop(0)
            number = int(code[0] or 0)
            if number == 0:
                self.reset()
            elif number == 1:
                self.bold = True
            elif number == 4:
                self.underlined = code[1:2] != ["0"]
            elif number == 7:
                self.reversed = True
            elif number in (22, 24, 27):
                self.bold, self.underlined, self.reversed = (
                    self.bold and number != 22, self.underlined and number != 24,
                    self.reversed and number != 27)
            elif number in (38, 48):
                if len(code) == 1:
                    kind = codes.pop(0)[0]
                    code = [code[0], kind] + [codes.pop(0)[0] for _ in range(3 if kind == "2" else 1)]
                values = [int(value) for value in code[2:] if value]
                colour = indexed(values[0]) if code[1] == "5" else "#%02x%02x%02x" % tuple(values[-3:])
                self.set(number == 38, colour)
            elif number in (39, 49):
                self.set(number == 39, None)
            elif 30 <= number <= 37 or 90 <= number <= 97:
                self.set(True, PALETTE[number - 30 if number < 90 else number - 82])
            elif 40 <= number <= 47 or 100 <= number <= 107:
                self.set(False, PALETTE[number - 40 if number < 100 else number - 92])

    def set(self, is_foreground, colour):
        if is_foreground:
            self.foreground = colour
        else:
            self.background = colour

    def attributes(self):
        foreground, background = self.foreground or "#d5dce5", self.background
        if self.reversed:
            foreground, background = background or "#161b22", foreground
        return foreground, background, self.bold, self.underlined


def width(text):
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def svg(screen, title):
    """Draws a screen with escape sequences."""
    lines = screen.rstrip("\n").split("\n")
    total_width, total_height = round(COLUMNS * LETTER + 2 * MARGIN), 62 + LINES * LINE_HEIGHT
    boxes, texts = [], []
    style = Style()
    for row, line in enumerate(lines):
        y = 50 + row * LINE_HEIGHT
        column = 0
        for part in re.split(r"(\x1b\[[0-9;:]*m)", line):
            if part.startswith("\x1b"):
                style.apply(part[2:-1])
                continue
            if not part:
                continue
            foreground, background, bold, underlined = style.attributes()
            x, length = MARGIN + column * LETTER, width(part) * LETTER
            if background and background != "#161b22":
                boxes.append(
                    f'<rect x="{x:.1f}" y="{y - 14}" width="{length:.1f}" height="{LINE_HEIGHT}" '
                    f'fill="{background}"/>')
            visible = part.strip()
            if visible:
                x += (len(part) - len(part.lstrip())) * LETTER
                length = width(visible) * LETTER
                extra = ' font-weight="700"' if bold else ""
                extra += ' text-decoration="underline"' if underlined else ""
                texts.append(
                    f'<text x="{x:.1f}" y="{y}" fill="{foreground}"{extra} textLength="{length:.1f}" '
                    f'lengthAdjust="spacingAndGlyphs">{escape(visible)}</text>')
            column += width(part)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total_width}" height="{total_height}" '
        f'viewBox="0 0 {total_width} {total_height}" role="img" xml:space="preserve"><title>{escape(title)}</title>'
        '<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",'
        'monospace;white-space:pre}</style>'
        '<rect width="100%" height="100%" rx="8" fill="#161b22"/>'
        '<circle cx="20" cy="18" r="5.5" fill="#ec6a5e"/><circle cx="38" cy="18" r="5.5" fill="#f4bf4f"/>'
        '<circle cx="56" cy="18" r="5.5" fill="#61c554"/>',
        *boxes, *texts, "</svg>", ""])


def main():
    querygen, output = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        project = pathlib.Path(name)
        (project / "Migrations").mkdir()
        (project / "Queries").mkdir()
        (project / "Migrations/001_music.sql").write_text(MIGRATION)
        (project / "Queries/Albums.sql").write_text(QUERIES)
        (project / "init.vim").write_text(SETTINGS % (querygen, project))
        session = Session(project, f"cd {project} && nvim -u init.vim")
        try:
            time.sleep(1)
            for step, keys in STEPS:
                session.type(keys)
                title = f"Neovim with querygen lsp: {step}"
                (output / f"editor-{step}.svg").write_text(svg(session.screen(), title))
        finally:
            session.end()


main()
