-- Adds indexes for guests and rooms. Harmless: only the plans may change.

CREATE INDEX bookings_by_guest ON bookings (guest, room_id);
CREATE INDEX bookings_by_room ON bookings (room_id) INCLUDE (nights);
