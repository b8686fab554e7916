ALTER TABLE bands ADD COLUMN year INTEGER;
UPDATE bands SET year = substr(founded, 1, 4);
ALTER TABLE bands DROP COLUMN founded;
