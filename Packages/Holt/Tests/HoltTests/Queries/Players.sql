allPlayers:
SELECT * FROM player ORDER BY score DESC, id;

playersOf:
SELECT * FROM player WHERE team = ? ORDER BY id;

playersBetween:
SELECT * FROM player WHERE score BETWEEN :low AND :high ORDER BY id;

playerById:
SELECT * FROM player WHERE id = ?;

countPlayers:
SELECT count(*) FROM player;

addTeam:
INSERT INTO team (name) VALUES (:name) RETURNING id;

addPlayer:
INSERT INTO player (team, full_name, score) VALUES (:team, :name, :score) RETURNING *;

score:
UPDATE player SET score = score + :points WHERE id = :id;

removePlayer:
DELETE FROM player WHERE id = ?;
