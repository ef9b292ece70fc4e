-- Objects: what never changes, by the hash of its bytes.
create table alamein_objects (
    tenant text collate "C" not null,
    kind smallint not null,
    id bytea not null,
    bytes bytea not null,
    len bigint not null,
    -- Microseconds after 1970.
    kept_at bigint not null,
    primary key (tenant, kind, id)
);

-- How many objects there are of each kind of a tenant, and how many bytes they have: the sum of all
-- slots, so that those who write at once do not wait for each other. A slot alone may be below 0.
create table alamein_counts (
    tenant text collate "C" not null,
    kind smallint not null,
    slot smallint not null,
    count bigint not null,
    bytes bigint not null,
    primary key (tenant, kind, slot)
);

-- Refs: names that move. Names are in UTF-8, and in the order of their bytes.
create table alamein_refs (
    tenant text collate "C" not null,
    kind smallint not null,
    name bytea not null,
    version bigint not null,
    value bytea not null,
    seal bytea not null,
    primary key (tenant, kind, name)
);

-- What was written of each ref as it moved.
create table alamein_logs (
    tenant text collate "C" not null,
    kind smallint not null,
    name bytea not null,
    version bigint not null,
    id bytea not null,
    seal bytea not null,
    primary key (tenant, kind, name, version)
);
