DEFINE QUERY openTodos AS SELECT * FROM todo WHERE done_on IS NULL;
DEFINE QUERY finish AS UPDATE todo SET done_on = :date WHERE id IN :ids;

DEFINE QUERY addTodo AS INSERT INTO todo (name) VALUES (:name) RETURNING id;

DEFINE QUERY addTodos AS
INSERT INTO todo VALUES :todos;
