-- What a memory is about, wherever it lives: the id of a project. Few memories of a book are about one and the same.

ALTER TABLE memories ADD COLUMN project TEXT;
CREATE INDEX memories_by_project ON memories (tenant, project) WHERE project IS NOT NULL;
