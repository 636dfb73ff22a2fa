//! Starts `querygen lsp` for SQL files.

use zed_extension_api as zed;

struct QueryGen;

impl zed::Extension for QueryGen {
    fn new() -> Self {
        QueryGen
    }

    fn language_server_command(
        &mut self,
        _server: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        let command = worktree
            .which("querygen")
            .ok_or_else(|| "the command querygen is not on the PATH".to_string())?;
        Ok(zed::Command {
            command,
            args: vec!["lsp".to_string()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(QueryGen);
