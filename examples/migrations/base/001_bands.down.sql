DROP TABLE bands;
