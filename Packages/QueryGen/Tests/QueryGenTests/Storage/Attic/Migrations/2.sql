CREATE VIEW long_tape AS SELECT * FROM tape WHERE minutes > 90;
