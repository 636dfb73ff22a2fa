-- order: :sort = name, joined, score DESC NULLS LAST AS best
DEFINE QUERY players AS
SELECT * FROM player WHERE team = :team ORDER BY :sort, id;

DEFINE QUERY findPlayers AS
SELECT * FROM player
WHERE team = :team
  -- if :name
  AND name LIKE :name
  -- if :low, :high
  AND score BETWEEN :low AND :high;

-- filter: :matching = name, score, length(name) AS size
DEFINE QUERY filteredPlayers AS
SELECT * FROM player WHERE team = :team AND :matching;

DEFINE QUERY addPlayer AS
INSERT INTO player (team, name, joined, score) VALUES (:team, :name, :joined, :score);
