-- The players of a team.
--
-- order: :sort = name, joined_on, score DESC NULLS LAST AS best
-- order: :sort = length(name) AS "name's length"
DEFINE QUERY playersOf AS
SELECT * FROM player WHERE team = :team ORDER BY :sort, id;

-- order: $by = player.name COLLATE NOCASE, rank, team.name AS "default"
rankedPlayers:
SELECT player.name, team.name AS team_name, rank() OVER (ORDER BY score DESC) AS rank
FROM player
LEFT JOIN team ON team.id = player.team
ORDER BY $by;

-- order: :sort = title, 2 AS kind
namesOf:
SELECT name AS title, 'player' AS kind
FROM player
WHERE id IN :ids
UNION ALL
SELECT name, 'team'
FROM team
WHERE id IN :ids
ORDER BY :sort
LIMIT :limit;

-- order: :sort = player.name, score
DEFINE QUERY findPlayers AS
SELECT player.*
FROM player
JOIN team ON team.id = player.team /* if :teamName */ AND team.name = :teamName
WHERE
  -- if :name
  player.name LIKE :name
  -- if :low, :high
  AND score BETWEEN :low AND :high
  -- if :ids
  AND player.id IN :ids
ORDER BY :sort;

search:
SELECT id, score
FROM player
WHERE
  team = :team
  -- if :least
  AND score >= :least
  -- if :name
  AND name = :name
ORDER BY id;

-- name: teamScores :many
SELECT team, count(*) AS players, total(score) AS total
FROM player
-- if :name
WHERE name <> :name
GROUP BY team
HAVING
  -- if :players
  count(*) >= :players
  -- if :total
  AND sum(score) >= :total;

namesAfter:
SELECT name FROM player WHERE /* if :day */ joined_on > :day;

removePlayers:
DELETE FROM player WHERE team = :team /* if :before */ AND joined_on < :before;

-- filter: :matching = player.name, score, team.name AS team, score > 4 AS "is strong"
-- filter: :matching = player.name COLLATE NOCASE AS anyCase
DEFINE QUERY filteredPlayers AS
SELECT player.*
FROM player
LEFT JOIN team ON team.id = player.team
WHERE player.id <> :besides AND :matching
ORDER BY player.id;

-- filter: :having = count(*) AS players
DEFINE QUERY teamsHaving AS
SELECT team FROM player WHERE team IN :teams GROUP BY team HAVING :having ORDER BY team;
