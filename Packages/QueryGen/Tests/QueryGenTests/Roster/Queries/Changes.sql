-- Adds teams, or none of them.
DEFINE QUERY addTeams AS
INSERT INTO team VALUES :teams;

DEFINE QUERY addTeam AS
INSERT INTO team VALUES (:team.*);

putTeams:
REPLACE INTO team (id, name) VALUES :teams RETURNING name;

addTeamNames:
INSERT INTO team (name) VALUES :names RETURNING *;

-- Adds players to a team, or replaces their scores.
DEFINE QUERY addPlayers AS
INSERT INTO player (name, joined_on, score, id)
VALUES :players
ON CONFLICT (id) DO UPDATE SET team = :team, score = excluded.score
RETURNING id, team;

addPlayer:
INSERT OR IGNORE INTO player (team, name, joined_on) VALUES (:player.*) RETURNING id;

mergePlayers:
INSERT INTO player (id, name, joined_on)
VALUES :rows
ON CONFLICT (id) DO UPDATE SET name = excluded.name
WHERE
  player.id IN :ids
  AND player.score > (SELECT ifnull(min(score), 0) FROM player WHERE /* if :team */ team = :team);

-- Moves the players of a team to another one, and removes the team.
DEFINE QUERY mergeTeam AS
BEGIN
  UPDATE player SET team = :into WHERE team = :team;

  -- No player refers to it any more.
  DELETE FROM team WHERE id = :team;
END;

-- name: replaceTeams :many
BEGIN
  DELETE FROM team WHERE id IN :old;
  INSERT INTO team VALUES :teams;
  SELECT * FROM team WHERE id > :least ORDER BY id;
END;

recordScores:
BEGIN
  UPDATE player SET score = score + :points WHERE team = :team /* if :name */ AND name = :name;
  UPDATE player SET score = 0 WHERE score IS NULL AND id IN :ids;
  INSERT INTO player (team, name, joined_on) VALUES (:player.*) RETURNING id;
END;

startOver:
BEGIN
  DELETE FROM player;
  DELETE FROM team;
END;
