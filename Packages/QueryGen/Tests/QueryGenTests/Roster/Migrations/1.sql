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

CREATE TABLE coach (
  team INTEGER NOT NULL REFERENCES team (id),
  name TEXT NOT NULL
);

CREATE TABLE goal (
  id INTEGER PRIMARY KEY,
  player INTEGER NOT NULL REFERENCES player (id),
  minute INTEGER NOT NULL
);

CREATE TABLE note (
  goal INTEGER NOT NULL REFERENCES goal (id),
  text TEXT NOT NULL
);

CREATE TABLE award (
  player INTEGER NOT NULL REFERENCES player (id),
  year INTEGER NOT NULL,
  title TEXT,
  PRIMARY KEY (player, year)
);
