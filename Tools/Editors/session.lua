-- Opens a query file in headless Neovim with `querygen lsp`, edits it as a user would, and prints the
-- results. Used by Tools/editors.sh:
--
--   nvim --headless --clean -l … is not available in Neovim 0.7, so the script runs with -S.
local server = vim.env.QUERYGEN
local root = vim.env.PROJECT
local failures = 0

local function check(name, condition, detail)
  if condition then
    print('ok: ' .. name .. '\n')
  else
    failures = failures + 1
    print('FAILED: ' .. name .. ' ' .. vim.inspect(detail) .. '\n')
  end
end

vim.cmd('edit ' .. vim.fn.fnameescape(root .. '/Queries/Note.sql'))
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = 'querygen', cmd = { server, 'lsp' }, root_dir = root })
vim.lsp.buf_attach_client(buffer, client)

local function wait(condition) return vim.wait(5000, condition, 10) end
local function codes()
  return vim.tbl_map(function(d) return d.code or d.user_data.lsp.code end, vim.diagnostic.get(buffer))
end
local function request(method, line, character, extra)
  local parameters = {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    position = { line = line, character = character },
  }
  for key, value in pairs(extra or {}) do parameters[key] = value end
  local responses = vim.lsp.buf_request_sync(buffer, method, parameters, 5000) or {}
  local response = responses[client] or {}
  return response.result, response.error
end
local function lines() return vim.api.nvim_buf_get_lines(buffer, 0, -1, false) end

check('starts', wait(function()
  return vim.lsp.buf_get_clients(buffer)[client] ~= nil
end))
check('shows diagnostics', wait(function() return vim.deep_equal(codes(), { 'unknown-column' }) end), codes())

-- Typing.
vim.api.nvim_buf_set_text(buffer, 1, 7, 1, 10, { 'text' })
check('removes diagnostics after an edit', wait(function() return #codes() == 0 end), codes())

local hover = request('textDocument/hover', 1, 8)
check('hovers', hover and hover.contents.value:find('note.text TEXT', 1, true), hover)

local definition = request('textDocument/definition', 1, 8)
check('jumps to the migration', definition and definition[1]
  and definition[1].uri:match('Migrations/001_note.sql$') and definition[1].range.start.line == 2, definition)

local references = request('textDocument/references', 1, 8, { context = { includeDeclaration = true } })
check('finds references', references and #references == 3, references)

vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { '', 'more: SELECT n. FROM note n;' })
local completion = request('textDocument/completion', #lines() - 1, 15)
local labels = completion and vim.tbl_map(function(item) return item.label end, completion.items) or {}
check('completes columns', vim.deep_equal(labels, { 'id', 'text' }), labels)
vim.api.nvim_buf_set_text(buffer, #lines() - 1, 15, #lines() - 1, 15, { 'id' })

vim.api.nvim_win_set_cursor(0, { #lines(), 13 })
vim.lsp.buf.rename('renamed')
check('renames an alias', wait(function() return lines()[#lines()] == 'more: SELECT renamed.id FROM note renamed;' end), lines())

if vim.lsp.buf.format then
  vim.lsp.buf.format({ async = false, timeout_ms = 5000 })
else
  vim.lsp.buf.formatting_sync(nil, 5000)
end
check('formats', vim.tbl_contains(lines(), 'SELECT renamed.id FROM note renamed;'), lines())

local lenses = request('textDocument/codeLens', 0, 0)
check('shows signatures', lenses and lenses[1] and lenses[1].command.title == 'notes() -> [String]', lenses)

vim.lsp.stop_client(client)
check('stops', wait(function() return #vim.lsp.get_active_clients() == 0 end))
if failures > 0 then vim.cmd('cquit!') end
vim.cmd('qall!')
