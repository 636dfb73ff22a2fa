addTodo: INSERT INTO todo (title, priority) VALUES (:title, :priority) RETURNING id;

openTodos: SELECT * FROM todo WHERE done IS NULL AND priority IN :priorities ORDER BY id;
