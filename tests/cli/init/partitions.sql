-- Constraints that stand on partitions only, on partitions of partitions, and of columns in another order.
CREATE TABLE shipment (id int, day date, weight int, note text, "to" text) PARTITION BY RANGE (day);
CREATE TABLE shipment_old ("to" text NOT NULL, gone int, note text, weight int CHECK (weight > 0), day date, id int);
ALTER TABLE shipment_old DROP COLUMN gone;
ALTER TABLE shipment ATTACH PARTITION shipment_old FOR VALUES FROM ('2000-01-01') TO ('2025-01-01');
CREATE TABLE shipment_new PARTITION OF shipment (note NOT NULL) FOR VALUES FROM ('2025-01-01') TO ('2050-01-01')
    PARTITION BY LIST (weight);
CREATE TABLE shipment_light PARTITION OF shipment_new FOR VALUES IN (0, 1, 2);
CREATE TABLE shipment_heavy PARTITION OF shipment_new (id NOT NULL) DEFAULT;
