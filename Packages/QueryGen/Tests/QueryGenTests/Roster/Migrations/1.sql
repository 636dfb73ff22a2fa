CREATE TABLE team (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
);

CREATE TABLE player (
  id INTEGER PRIMARY KEY,
  team INTEGER REFERENCES team (id),
  name TEXT NOT NULL,
  joined_on INTEGER NOT NULL,
  score REAL
);

CREATE INDEX player_team ON player (team, score);
CREATE INDEX player_name ON player (name);
