"""Long days and bad ends: many openings, kills at random moments, full disks, torn files.

Short forms run with the suite; the long ones by hand:

    python -m tests.soak.opens --rounds 300     memory, handles and threads while captures are opened and closed
    python -m tests.soak.gaps                   seconds between looks at Stop, by question
    python -m tests.soak.stops                  seconds that questions go on after Stop was pressed at random moments
    python -m tests.soak.sweep FOLDER           every command and every question on all captures of a folder
    python -m tests.soak.kill --trials 200      kill -9, torn files and disks without room: what was acknowledged is there
"""
