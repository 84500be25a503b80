-- What a memory is about, wherever it lives: the id of a project. Few memories of a book are about one and the same.

SET LOCAL search_path = commonplace, public, extensions;

ALTER TABLE memories ADD COLUMN project text COLLATE "C";
CREATE INDEX memories_by_project ON memories (tenant, project) WHERE project IS NOT NULL;
