module hostlock.example/record

go 1.24
