"""Runs `querygen lsp` with pytest-lsp, whose messages are checked against the protocol's model.

Used by Tools/editors.sh, which sets QUERYGEN and PROJECT.
"""

import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

ROOT = pathlib.Path(os.environ["PROJECT"])
QUERIES = (ROOT / "Queries" / "Note.sql").as_uri()
MIGRATION = (ROOT / "Migrations" / "001_note.sql").as_uri()
TEXT = "notes:\nSELECT txt FROM note ORDER BY text;\n"


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[os.environ["QUERYGEN"], "lsp"]),
)
async def client(lsp_client: LanguageClient):
    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(parameters: types.RegistrationParams):
        assert [r.method for r in parameters.registrations] == [
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        ]

    @lsp_client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
    def refresh(_: None):
        return None

    parameters = types.InitializeParams(
        capabilities=client_capabilities("visual-studio-code"),
        workspace_folders=[types.WorkspaceFolder(uri=ROOT.as_uri(), name="project")],
    )
    result = await lsp_client.initialize_session(parameters)
    assert result.server_info.name == "querygen"
    lsp_client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            types.TextDocumentItem(uri=QUERIES, language_id="sql", version=1, text=TEXT)
        )
    )
    yield lsp_client
    await lsp_client.shutdown_session()


def change(client, version, text):
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(uri=QUERIES, version=version),
            [types.TextDocumentContentChangeWholeDocument(text=text)],
        )
    )


def at(line, character, uri=QUERIES):
    return {
        "text_document": types.TextDocumentIdentifier(uri=uri),
        "position": types.Position(line=line, character=character),
    }


DOCUMENT = types.TextDocumentIdentifier(uri=QUERIES)
WHOLE = types.Range(types.Position(0, 0), types.Position(99, 0))


@pytest.mark.asyncio
async def test_session(client: LanguageClient):
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    found = client.diagnostics[QUERIES]
    assert [d.code for d in found] == ["unknown-column"]
    assert found[0].message == "no such column: `txt`; did you mean `text`?"

    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=DOCUMENT,
            range=found[0].range,
            context=types.CodeActionContext(diagnostics=found),
        )
    )
    fix = next(a for a in actions if a.is_preferred)
    assert fix.edit.changes[QUERIES][0].new_text == "text"

    change(client, 2, "notes:\nSELECT text FROM note ORDER BY text;\n")
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert not client.diagnostics[QUERIES]

    hover = await client.text_document_hover_async(types.HoverParams(**at(1, 8)))
    assert "note.text TEXT" in hover.contents.value

    places = await client.text_document_definition_async(types.DefinitionParams(**at(1, 8)))
    assert [(p.uri, p.range.start.line) for p in places] == [(MIGRATION, 2)]

    places = await client.text_document_references_async(
        types.ReferenceParams(**at(1, 8), context=types.ReferenceContext(include_declaration=True))
    )
    assert len(places) == 3

    highlights = await client.text_document_document_highlight_async(
        types.DocumentHighlightParams(**at(1, 8))
    )
    assert len(highlights) == 2

    completions = await client.text_document_completion_async(types.CompletionParams(**at(1, 7)))
    assert "text" in [item.label for item in completions.items]
    table = next(i for i in completions.items if i.kind == types.CompletionItemKind.Function)
    resolved = await client.completion_item_resolve_async(table)
    assert resolved.documentation is not None

    symbols = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(text_document=DOCUMENT)
    )
    assert [s.name for s in symbols] == ["notes"]
    symbols = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query="nt"))
    assert "note" in [s.name for s in symbols]

    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(
            text_document=DOCUMENT, options=types.FormattingOptions(tab_size=2, insert_spaces=True)
        )
    )
    assert not edits

    folds = await client.text_document_folding_range_async(
        types.FoldingRangeParams(text_document=DOCUMENT)
    )
    assert [(f.start_line, f.end_line) for f in folds] == [(0, 1)]

    selections = await client.text_document_selection_range_async(
        types.SelectionRangeParams(text_document=DOCUMENT, positions=[types.Position(1, 8)])
    )
    assert selections[0].parent is not None

    help = await client.text_document_signature_help_async(types.SignatureHelpParams(**at(1, 8)))
    assert help is None

    tokens = await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(text_document=DOCUMENT)
    )
    assert len(tokens.data) == 5 * 8
    delta = await client.text_document_semantic_tokens_full_delta_async(
        types.SemanticTokensDeltaParams(
            text_document=DOCUMENT, previous_result_id=tokens.result_id
        )
    )
    assert not delta.edits
    tokens = await client.text_document_semantic_tokens_range_async(
        types.SemanticTokensRangeParams(text_document=DOCUMENT, range=WHOLE)
    )
    assert len(tokens.data) == 5 * 8

    hints = await client.text_document_inlay_hint_async(
        types.InlayHintParams(text_document=DOCUMENT, range=WHOLE)
    )
    assert [h.label for h in hints] == [": String"]

    lenses = await client.text_document_code_lens_async(
        types.CodeLensParams(text_document=DOCUMENT)
    )
    # The plan follows when it is known.
    assert lenses[0].command.title == "notes() -> [String]"
    plan = await client.workspace_execute_command_async(
        types.ExecuteCommandParams(command="querygen.showPlan", arguments=[QUERIES, "notes"])
    )
    assert "SCAN note" in plan
    lenses = await client.text_document_code_lens_async(
        types.CodeLensParams(text_document=DOCUMENT)
    )
    assert [l.command.title for l in lenses] == [
        "notes() -> [String]",
        "SCAN note; USE TEMP B-TREE FOR ORDER BY",
    ]

    place = await client.text_document_prepare_rename_async(types.PrepareRenameParams(**at(1, 8)))
    assert place.placeholder == "text"
    edit = await client.text_document_rename_async(
        types.RenameParams(**at(1, 8), new_name="body")
    )
    changed = [c.text_document.uri for c in edit.document_changes]
    assert sorted(changed) == [MIGRATION, QUERIES]
