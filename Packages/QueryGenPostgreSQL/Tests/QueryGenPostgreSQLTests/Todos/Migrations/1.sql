CREATE TYPE priority AS ENUM ('low', 'high');
CREATE TABLE todo (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL,
  priority priority NOT NULL DEFAULT 'low',
  done timestamptz
);
