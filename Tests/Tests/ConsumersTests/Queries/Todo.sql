openTodos:
SELECT id, title FROM todo ORDER BY id;

addTodo:
INSERT INTO todo (title) VALUES (:title) RETURNING id;
