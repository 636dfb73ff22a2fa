// Starts `querygen lsp` for the SQL files of the workspace.
const vscode = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

let client

function start() {
  const command = vscode.workspace.getConfiguration('querygen').get('path') || 'querygen'
  client = new LanguageClient(
    'querygen', 'QueryGen', { command, args: ['lsp'] },
    { documentSelector: [{ scheme: 'file', language: 'sql' }] })
  return client.start().catch(error =>
    vscode.window.showErrorMessage(`QueryGen: ${command} can't be started: ${error.message}`))
}

async function stop() {
  const stopping = client
  client = undefined
  // A client that has failed to start can't be stopped.
  if (stopping && stopping.isRunning()) await stopping.stop()
}

async function restart() {
  await stop()
  await start()
}

exports.activate = context => {
  context.subscriptions.push(
    vscode.commands.registerCommand('querygen.restart', restart),
    vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('querygen.path')) return restart()
    }))
  return start()
}

exports.deactivate = stop
