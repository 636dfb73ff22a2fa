-- Every name in the atlas, for searching regardless of case and accents.
CREATE VIRTUAL TABLE name_index USING fts5 (
  name,
  kind UNINDEXED,
  code UNINDEXED,
  tokenize = 'unicode61 remove_diacritics 2'
);
