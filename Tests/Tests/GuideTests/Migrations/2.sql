CREATE INDEX todo_list ON todo (list);
