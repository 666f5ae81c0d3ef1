# In the place of the authors' program: six items a category, of which it says two are wrong. It shows the way, and asks no model.
set -e
python3 stand_in.py "$1"
