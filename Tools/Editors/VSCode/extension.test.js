// Runs the extension with stand-ins for the two modules that VS Code supplies: `node --test`.
const assert = require('node:assert')
const Module = require('node:module')
const test = require('node:test')

const started = []
const errors = []
const settings = { path: 'querygen' }
const commands = {}
let changed
let failure

class LanguageClient {
  constructor(id, name, server, options) { Object.assign(this, { id, name, server, options }) }
  async start() {
    if (failure) throw failure
    this.running = true
    started.push(this)
  }
  isRunning() { return this.running === true }
  async stop() { this.running = false }
}

const standIns = {
  'vscode': {
    commands: { registerCommand: (name, run) => { commands[name] = run } },
    window: { showErrorMessage: message => errors.push(message) },
    workspace: {
      getConfiguration: () => ({ get: key => settings[key] }),
      onDidChangeConfiguration: run => { changed = run },
    },
  },
  'vscode-languageclient/node': { LanguageClient },
}
const load = Module._load
Module._load = (name, ...rest) => standIns[name] ?? load(name, ...rest)

const extension = require('./extension.js')

test('starts the server for SQL files', async () => {
  await extension.activate({ subscriptions: [] })
  assert.strictEqual(started.length, 1)
  assert.deepStrictEqual(started[0].server, { command: 'querygen', args: ['lsp'] })
  assert.deepStrictEqual(started[0].options.documentSelector, [{ scheme: 'file', language: 'sql' }])
})

test('restarts the server on command, and when its path changes', async () => {
  await commands['querygen.restart']()
  assert.deepStrictEqual(started.map(client => client.isRunning()), [false, true])
  settings.path = '/usr/local/bin/querygen'
  await changed({ affectsConfiguration: name => name === 'querygen.path' })
  assert.strictEqual(started[2].server.command, '/usr/local/bin/querygen')
  await changed({ affectsConfiguration: () => false })
  assert.strictEqual(started.length, 3)
})

test('reports a command that can not be started, and can be stopped', async () => {
  failure = new Error('ENOENT')
  await commands['querygen.restart']()
  assert.match(errors[0], /querygen can't be started: ENOENT/)
  await extension.deactivate()
})
