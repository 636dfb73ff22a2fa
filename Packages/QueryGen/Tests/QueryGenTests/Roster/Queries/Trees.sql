-- Teams with their players and coaches, and each player's goals and awards.
--
-- nest: player (goal) (year, title AS awards)
-- nest: coach_name AS coaches
-- order: :sort = random() AS shuffled
DEFINE QUERY teamTree AS
SELECT team.*, player.*, goal.*, award.year, award.title, coach.name AS coach_name
FROM team
LEFT JOIN player ON player.team = team.id
LEFT JOIN goal ON goal.player = player.id
LEFT JOIN award ON award.player = player.id
LEFT JOIN coach ON coach.team = team.id
ORDER BY :sort, team.id, player.id, goal.id, award.year, coach_name;

-- nest: player_name (minute AS minutes) AS players
minutesByTeam:
SELECT team.name AS team_name, player.name AS player_name, goal.minute
FROM team
LEFT JOIN player ON player.team = team.id
LEFT JOIN goal ON goal.player = player.id
ORDER BY team.id, player.id, goal.minute;

-- nest: player (minute (note AS notes) AS goals) (year AS years)
teamDepths:
SELECT team.name, player.*, goal.minute, note.text AS note, award.year
FROM team
JOIN player ON player.team = team.id
LEFT JOIN goal ON goal.player = player.id
LEFT JOIN note ON note.goal = goal.id
LEFT JOIN award ON award.player = player.id
ORDER BY team.id, player.id, goal.minute, note.text, award.year;
