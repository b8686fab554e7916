ALTER TABLE bands RENAME COLUMN year TO founded;
