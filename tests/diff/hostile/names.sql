ALTER TABLE "s% \ ""'
x"."t% d\ ""';--
	😀 $1 :a :'b' {c}" ALTER "x:y" SET DEFAULT 2;
